type Values<Name extends string> = Readonly<Record<Name, string>>

/** What somebody else saved while a form was open, beside what was changed in it. */
export interface Meanwhile<Name extends string> {
  /** Fields that they changed, and this form did not, or in the same way. */
  readonly taken: readonly Name[]
  /** Fields that both changed, to different values. */
  readonly disputed: readonly Name[]
  /** Both changes together; a disputed field keeps the value of this form. */
  readonly merged: Values<Name>
}

/** Three-way merge of a form: what it began with, what it holds, what is saved now. */
export function mergeMeanwhile<Name extends string>(
  base: Values<Name>,
  mine: Values<Name>,
  theirs: Values<Name>,
): Meanwhile<Name> {
  const names = Object.keys(base) as Name[]
  const changed = names.filter((name) => theirs[name] !== base[name])
  const disputed = changed.filter((name) => mine[name] !== base[name] && mine[name] !== theirs[name])
  const taken = changed.filter((name) => !disputed.includes(name))
  return { taken, disputed, merged: { ...mine, ...pick(theirs, taken) } }
}

/** The values of these fields alone. */
export function pick<Name extends string>(values: Values<Name>, names: readonly Name[]): Partial<Values<Name>> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Values<Name>>
}
