import { useEffect } from "react";
import { uiReady } from "../api";

export function App() {
  useEffect(() => void uiReady(), []);
  return <main className="p-8">Assay</main>;
}
