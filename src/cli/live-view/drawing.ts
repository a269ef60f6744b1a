import type { Paint } from "../paint.ts";
import type { Size } from "../terminal.ts";

/** How a page is drawn. */
export interface Drawing {
  readonly size: Size;
  readonly paint: Paint;
  /** The last line: the keys, or a message about what was just typed. */
  readonly footer: string;
}

/** How the page of the whole run is drawn. */
export interface FrameOptions extends Drawing {
  /** The task that the next key is about. */
  readonly selected: string | null;
  /** The latest warning. */
  readonly warning: string | null;
}
