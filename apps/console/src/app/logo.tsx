export function Logo() {
  return (
    <span className="flex items-center gap-2.5 font-semibold tracking-tight">
      <img src="/icon.svg" alt="" width={24} height={24} />
      Palyra
    </span>
  );
}
