// A small store: one state that is replaced as a whole, and subscriptions to named fields of it.
//
// Subscribers may update the state themselves. Such an update waits until all of them have seen the one before, so
// each of them always sees the newest state, and no listener is entered twice.

/**
 * How the browser's history takes a change: as a new entry, in place of the current one, or not at all.
 * @typedef {"push" | "replace" | null} History
 */

/**
 * @template {object} State
 * @typedef {{fields: readonly (keyof State)[], listener: (history: History) => void}} Subscription
 */

/** @template {object} State */
export class Store {
  /** @type {Readonly<State>} */
  #state;
  /** @type {Set<Subscription<State>>} */
  #subscriptions = new Set();
  /** @type {Set<keyof State>} fields that changed since the subscribers were last notified */
  #changed = new Set();
  /** @type {History} */
  #history = null;
  #isNotifying = false;

  /** @param {State} state */
  constructor(state) {
    this.#state = Object.freeze({ ...state });
  }

  get state() {
    return this.#state;
  }

  /**
   * Call a listener after each change of any of these fields. Return a function that ends the subscription.
   * @param {readonly (keyof State)[]} fields
   * @param {(history: History) => void} listener
   */
  subscribe(fields, listener) {
    const subscription = { fields, listener };
    this.#subscriptions.add(subscription);
    return () => this.#subscriptions.delete(subscription);
  }

  /**
   * Change some fields at once, and notify the subscribers.
   * @param {Partial<State>} changes
   * @param {History} history
   */
  update(changes, history = null) {
    const names = /** @type {(keyof State)[]} */ (Object.keys(changes));
    for (const name of names) if (changes[name] !== this.#state[name]) this.#changed.add(name);
    this.#state = Object.freeze({ ...this.#state, ...changes });
    if (history === "push" || this.#history === null) this.#history = history;
    if (!this.#isNotifying) this.#notify();
  }

  /**
   * Make several changes, and notify the subscribers of all of them together.
   * @param {() => void} action
   */
  batch(action) {
    if (this.#isNotifying) return action();
    this.#isNotifying = true;
    try {
      action();
    } finally {
      this.#notify();
    }
  }

  #notify() {
    this.#isNotifying = true;
    while (this.#changed.size > 0) {
      const [changed, history] = [this.#changed, this.#history];
      [this.#changed, this.#history] = [new Set(), null];
      for (const { fields, listener } of [...this.#subscriptions]) {
        if (!fields.some((field) => changed.has(field))) continue;
        try {
          listener(history);
        } catch (error) {
          reportError(error); // the others are to be notified all the same
        }
      }
    }
    [this.#history, this.#isNotifying] = [null, false];
  }
}
