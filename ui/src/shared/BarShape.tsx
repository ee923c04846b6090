interface BarShapeProps {
  /** Counts, left to right. */
  heights: number[];
  /** What the shape shows, for a screen reader. */
  label: string;
  className?: string;
}

/** A histogram without axes: the shape of a column at a glance. */
export function BarShape({ heights, label, className }: BarShapeProps) {
  const tallest = Math.max(1, ...heights);
  const width = 100 / heights.length;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      className={className}
    >
      {heights.map((height, index) => {
        // A bar with anything in it stays visible, however small its share.
        const drawn = height === 0 ? 0 : Math.max(1, (23 * height) / tallest);
        return (
          <rect
            key={index}
            x={index * width}
            y={24 - drawn}
            width={Math.max(0.5, width - 0.6)}
            height={drawn}
            fill="currentColor"
          />
        );
      })}
    </svg>
  );
}
