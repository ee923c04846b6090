export { EngineForRun } from "./EngineForRun";
export { SandboxSettings } from "./SandboxSettings";
export { useEngines, type KnownEngines } from "./useEngines";
