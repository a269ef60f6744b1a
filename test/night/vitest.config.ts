import { defineConfig } from "vitest/config";

/** Apart from `npm test`, because it takes its time; `npm run test:night` runs it. */
export default defineConfig({
  test: { include: ["test/night/*.night.ts"], testTimeout: 180_000, reporters: ["default"] },
});
