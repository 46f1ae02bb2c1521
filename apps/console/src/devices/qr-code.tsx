import { useMemo } from 'react';
import { encode } from 'uqr';

/** Dark on light in both themes: cameras expect that. */
export function QrCode({ text }: { readonly text: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: 3 });
    const squares = code.data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { size: code.size, path: squares.join('') };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label="The pairing link as a QR code"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full max-w-64 rounded-lg"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
