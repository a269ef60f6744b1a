import type { Paths } from "../../src/project/paths.ts";
import type { Plan, Rules } from "../../src/plan/types.ts";
import type { Dice } from "../rounds/dice.ts";
import type { Agents } from "./agents.ts";
import type { Faults, Habits } from "./chances.ts";
import type { Revisions } from "./planner.ts";
import type { SimProcess } from "./process.ts";
import type { Repository } from "./repository.ts";
import type { Rooms } from "./rooms.ts";
import type { Timeline } from "./timeline.ts";

/** What the simulated ports need of the world; all of it outlives their process. */
export interface Surroundings {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly repository: Repository;
  readonly agents: Agents;
  readonly rooms: Rooms;
  readonly revisions: Revisions;
  readonly paths: Paths;
  readonly scenario: { readonly plan: Plan; readonly rules: Rules };
  /** May be set at any time. */
  faults: Faults;
  /** May be set at any time; whoever was hired stays as they are. */
  habits: Habits;
  readonly spawn: (name: string) => SimProcess;
}
