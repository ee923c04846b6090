import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Problem, ReadingProgress } from "../../api";
import { setPlatform, type Platform } from "../../platform";
import { mock } from "../../platform/mock";
import { FileSheet } from "./FileSheet";
import { useDesk } from "./useDesk";

const cut: Problem = { code: "input", message: "Reading was stopped.", hint: "", detail: "" };

/** A host whose reading goes on until it is stopped. */
function slowHost() {
  const calls: string[] = [];
  let hear: (progress: ReadingProgress) => void = () => {};
  let end: (problem: Problem) => void = () => {};
  const host: Platform = {
    ...mock,
    invoke<Answer>(name: string, args: Record<string, unknown> = {}) {
      calls.push(name);
      if (name === "stop_reading") end(cut);
      if (name !== "file_profile") return mock.invoke<Answer>(name, args);
      hear = args["channel"] as typeof hear;
      return new Promise<Answer>((_, reject) => (end = reject));
    },
  };
  return { host, calls, hear: (progress: ReadingProgress) => act(() => hear(progress)) };
}

function Sheet() {
  const { desk, sample, read, reread, stopReading, remove } = useDesk(() => {});
  const [file] = desk.files;
  if (file === undefined) return <button onClick={sample}>sample</button>;
  return (
    <FileSheet
      file={file}
      reading={desk.readings[file.id] ?? { state: "reading" }}
      onRemove={() => remove(file.id)}
      version={desk.versions[file.id] ?? 0}
      onRead={() => read(file.id)}
      onReread={(settings) => reread(file.id, settings)}
      onStop={() => stopReading(file.id)}
      leftOut={[]}
      onChoose={() => {}}
    />
  );
}

test("a long reading says how far it is, can be stopped, and can be taken up again", async () => {
  const { host, calls, hear } = slowHost();
  setPlatform(host);
  const user = userEvent.setup();
  render(<Sheet />);
  await user.click(screen.getByText("sample"));
  await screen.findByText("Reading all rows …");
  hear({ bytes: 250, of: 1000 });
  expect(screen.getByText("25 %")).toBeDefined();
  const bar = screen.getByRole<HTMLProgressElement>("progressbar", { name: "Reading all rows" });
  expect([bar.value, bar.max]).toEqual([250, 1000]);

  await user.click(screen.getByRole("button", { name: "Stop" }));
  const again = await screen.findByRole("button", { name: "Read all rows" });
  expect(screen.queryByText(cut.message)).toBeNull();
  expect(screen.queryByText("25 %")).toBeNull();

  await user.click(again);
  await screen.findByText("Reading all rows …");
  expect(calls.filter((call) => call.endsWith("reading") || call === "file_profile")).toEqual([
    "file_profile",
    "stop_reading",
    "file_profile",
  ]);
});
