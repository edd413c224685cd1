/**
 * The transition table of one channel: trigger, state, next state. A state that names itself means
 * that the trigger came late or twice and changes nothing. A pair outside the table is an error.
 */
export type Transitions<State extends string, Trigger extends string> = Readonly<
  Record<Trigger, Partial<Record<State, State>>>
>;

export class IllegalTransition extends Error {
  constructor(kind: string, state: string, trigger: string) {
    super(`${trigger} is illegal for a message of kind ${kind} that is ${state}`);
    this.name = 'IllegalTransition';
  }
}

export class Machine<State extends string, Trigger extends string> {
  constructor(
    private readonly kind: string,
    readonly transitions: Transitions<State, Trigger>,
    private readonly terminal: readonly State[],
  ) {}

  next(state: State, trigger: Trigger): State {
    const next = this.transitions[trigger][state];
    if (next === undefined) throw new IllegalTransition(this.kind, state, trigger);
    return next;
  }

  allows(state: State, trigger: Trigger): boolean {
    return this.transitions[trigger][state] !== undefined;
  }

  isTerminal(state: State): boolean {
    return this.terminal.includes(state);
  }
}
