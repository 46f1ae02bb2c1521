export interface DownloadedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Long enough for a browser to have taken it. */
const KEPT_MS = 10_000;

/** Gives the browser a file to keep. */
export function downloadFile({ name, mediaType, bytes }: DownloadedFile): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mediaType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
