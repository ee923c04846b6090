export type { Setting } from "./ActionBar";
export { askOf } from "./desk";
export { DeskScreen, Problems } from "./DeskScreen";
export { useDesk, type DeskControls } from "./useDesk";
