import { afterAll } from "vitest";
import { removeTemporaryFolders } from "./temporaryFolder.ts";

// Hooks of a test file run before it.
afterAll(removeTemporaryFolders);
