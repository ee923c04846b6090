export { DropVeil } from "./DropVeil";
export { HomeScreen } from "./HomeScreen";
