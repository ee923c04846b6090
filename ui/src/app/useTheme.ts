import { useEffect } from "react";
import type { Theme } from "../api";

/** Writes the chosen theme on the page; without a choice the system decides. */
export function useTheme(theme: Theme): void {
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
}
