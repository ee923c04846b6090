import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { columnWidth, VirtualGrid } from "./VirtualGrid";

const columns = Array.from({ length: 300 }, (_, n) => ({ name: `column ${n}`, width: 100 }));

test("draws what is in sight of a table of a million rows and 300 columns", () => {
  const onSight = vi.fn();
  render(
    <VirtualGrid
      label="Rows"
      columns={columns}
      rows={1_000_000}
      cell={(row, column) => (row === 3 ? undefined : `${row}/${column}`)}
      onSight={onSight}
      height={400}
    />,
  );
  const grid = screen.getByRole("table", { name: "Rows" });
  expect(grid.getAttribute("aria-rowcount")).toBe("1000001");
  expect(screen.getByText("0/0")).toBeDefined();
  expect(screen.queryByText("500/0")).toBeNull();
  expect(screen.getAllByText("…").length).toBeGreaterThan(0);
  expect(grid.querySelectorAll("[role=cell]").length).toBeLessThan(1000);
  expect(onSight).toHaveBeenCalledWith(0, expect.any(Number));
});

test("a column is as wide as its longest cell, within bounds", () => {
  expect(columnWidth("id", ["1"])).toBe(72);
  expect(columnWidth("text", ["x".repeat(400)])).toBe(280);
});
