/** The mark: a copper streak on a touchstone. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" width={size} height={size} className="shrink-0">
      <rect x="1" y="1" width="30" height="30" rx="7" fill="#1c1f23" stroke="var(--line)" />
      <path d="M7.5 22.5 L24.5 9.5" stroke="#d98a5b" strokeWidth="5" strokeLinecap="round" />
    </svg>
  );
}
