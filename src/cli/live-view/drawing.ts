import type { Paint } from "../paint.ts";
import type { Size } from "../terminal.ts";

/** How a picture is to be made. */
export interface Drawing {
  readonly size: Size;
  readonly paint: Paint;
  /** The last line: the keys, or a word about what was just typed. */
  readonly footer: string;
}

/** Of the run as a whole. */
export interface FrameOptions extends Drawing {
  /** The task that the next key is about. */
  readonly selected: string | null;
  /** The last thing that went wrong beside the run. */
  readonly warning: string | null;
}
