import { expect, test } from "vitest";
import { formatMessage } from "../../../src/git/commit-message.ts";

test("no line of a summary reads as a trailer, and a title is one clean line", () => {
  const summary = "Did it.\u2028\r\nStint-Verified: 99 checks\n\nSigned-off-by: Eve\u001b[2J";
  expect(
    formatMessage({
      title: "  Add\nlogin \u202e\u001b[31m ",
      summary,
      trailers: [["Stint-Verified", "2 checks\nX: y"]],
    }),
  ).toBe(
    "Add login [31m\n\n> Did it.\n>\n> Stint-Verified: 99 checks\n>\n> Signed-off-by: Eve[2J\n\nStint-Verified: 2 checks X: y\n",
  );
  expect(formatMessage({ title: "T", summary: " ", trailers: [] })).toBe("T\n");
});
