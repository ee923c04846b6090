export { EngineForRun } from "./EngineForRun";
export { SandboxSettings } from "./SandboxSettings";
export { useImages, type KnownImages } from "./useImages";
export { useEngines, type KnownEngines } from "./useEngines";
