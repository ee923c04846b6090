import { useEffect } from "react";
import { checkReport, within, type Document, type ReportCheck } from "../../api";
import { useCall } from "../../shared";

/** Where the figures of a run's report come from; null until it is known, and where it cannot be. */
export function useReportCheck(runId: string, report: Document | null): ReportCheck | null {
  const [checked, check] = useCall(() => within(60, checkReport(runId)));
  useEffect(() => {
    if (report !== null) void check();
  }, [check, report]);
  return checked.state === "done" ? checked.answer : null;
}
