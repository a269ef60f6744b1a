/** How plan.md and task files are written, for a planner's inbox as `format.md`. */
export const planFormat = "";
