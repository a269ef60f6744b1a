import { canConfine } from "../rig/sandbox-world.ts";
import { escapeSuite } from "./suite.ts";
import { allWays } from "./ways.ts";

escapeSuite({ mode: "bwrap", ways: allWays, skip: !canConfine });
