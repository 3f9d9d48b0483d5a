#!/usr/bin/env node
import module from "node:module";

// The types are those of the oldest Node that vppsim runs on. The cache is off where NODE_DISABLE_COMPILE_CACHE is set.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => void };
enableCompileCache?.();
// A static import would be compiled before the cache is open.
const { runProgram } = await import("./program.ts");
await runProgram();
