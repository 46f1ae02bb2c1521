/** As `icon.svg`, but drawn with the page: an image would be fetched and made ready beside it. */
export function Logo() {
  return (
    <span className="flex items-center gap-2.5 font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" width={24} height={24} aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#4f46e5" />
        <g stroke="#fff" strokeWidth="3.2" strokeLinecap="round" strokeLinejoin="round" fill="none">
          <path d="M10 25V8h7.5a5.75 5.75 0 0 1 0 11.5H10" />
        </g>
        <circle cx="17.5" cy="13.75" r="1.9" fill="#fff" />
      </svg>
      Palyra
    </span>
  );
}
