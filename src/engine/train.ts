import { isBarred, taskOf, type RunState, type TaskState } from "./state.ts";

/** A candidate in the order of landing, and the commit it has to be verified on, which is null until it is made. */
export interface Car {
  readonly task: TaskState;
  readonly onto: string | null;
}

/** Lists the candidates that are to land. Each is verified on top of the one in front, so that slow checks run in parallel. A task that another plan changes or removes does not land any more. */
export function train(state: RunState): Car[] {
  let onto: string | null = state.tip;
  const isLanding = (id: string) => taskOf(state, id).phase === "integrating" || !isBarred(state, id);
  return [...state.queue].filter(isLanding).map((id) => {
    const car = { task: taskOf(state, id), onto };
    onto = behind(car);
    return car;
  });
}

/** Returns the commit to verify a queued task on now. */
export function ontoOf(state: RunState, id: string): string | null {
  return train(state).find(({ task }) => task.spec.id === id)?.onto ?? null;
}

/** Whether the verdict on exactly that commit is known and good. */
export function hasPassed({ task, onto }: Car): boolean {
  return (task.phase === "passed" || task.phase === "integrating") && task.attempt?.verified?.tip === onto;
}

/** Whether nothing is known yet of it on the commit it has to land on. */
export function isUnverified(car: Car): boolean {
  return !hasPassed(car) && !isRedAhead(car) && !isChecked(car);
}

/** Whether only a judge is left to ask on exactly that commit. */
export function isChecked({ task, onto }: Car): boolean {
  return task.phase === "judging" && task.judging?.checked.tip === onto;
}

/** Lists the cars that land in a moment: they have passed, and so have all in front of them. */
export function landing(cars: readonly Car[]): readonly Car[] {
  const held = cars.findIndex((car) => !hasPassed(car));
  return held === -1 ? cars : cars.slice(0, held);
}

/** Lists the cars that can be verified now, the first to land first. */
export function toVerify(state: RunState): Car[] {
  return train(state).filter((car) => car.onto !== null && isUnverified(car));
}

/** Lists the tasks whose work lies between two commits, in order of landing: first those that have landed, then the cars in front. */
export function tasksBetween(state: RunState, base: string, tip: string): string[] {
  const ahead = train(state).flatMap((car) => {
    const placement = car.task.attempt?.placement;
    if (isRedAhead(car) || placement?.onto !== car.onto) return [];
    return [{ task: car.task.spec.id, commit: placement.commit }];
  });
  const chain = [...state.landed, ...ahead];
  const from = chain.findIndex(({ commit }) => commit === base) + 1;
  const to = chain.findIndex(({ commit }) => commit === tip) + 1;
  return chain.slice(from, to).map(({ task }) => task);
}

/** Returns the commit that the next car is verified on. A car that is going to fall out is skipped. */
function behind(car: Car): string | null {
  const { task, onto } = car;
  if (onto === null || isRedAhead(car)) return onto;
  const placement = task.attempt?.placement;
  return placement?.onto === onto ? placement.commit : null;
}

function isRedAhead({ task, onto }: Car): boolean {
  return task.attempt?.ahead?.tip === onto;
}
