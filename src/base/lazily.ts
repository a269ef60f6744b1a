/**
 * Makes an object that has the fields of `near` at hand, and gets the others from `far` by a key when one of them is first
 * asked for, or anything is set. To its users it is a plain object with all of them. Thousands of them share one `far`.
 */
export function lazily<T extends object>(near: Partial<T>, far: (key: number) => Partial<T>, key = 0): T {
  return new Proxy(near as T, new Later(far, key));
}

class Later<T extends object> implements ProxyHandler<T> {
  #far: ((key: number) => Partial<T>) | undefined;
  readonly #key: number;

  constructor(far: (key: number) => Partial<T>, key: number) {
    this.#far = far;
    this.#key = key;
  }

  get(near: T, key: PropertyKey): unknown {
    return Reflect.get(key in near ? near : this.#whole(near), key);
  }

  set(near: T, key: PropertyKey, value: unknown): boolean {
    return Reflect.set(this.#whole(near), key, value);
  }

  has(near: T, key: PropertyKey): boolean {
    return Reflect.has(this.#whole(near), key);
  }

  ownKeys(near: T): (string | symbol)[] {
    return Reflect.ownKeys(this.#whole(near));
  }

  getOwnPropertyDescriptor(near: T, key: PropertyKey): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.#whole(near), key);
  }

  deleteProperty(near: T, key: PropertyKey): boolean {
    return Reflect.deleteProperty(this.#whole(near), key);
  }

  #whole(near: T): T {
    const far = this.#far;
    this.#far = undefined;
    return far === undefined ? near : Object.assign(near, far(this.#key));
  }
}
