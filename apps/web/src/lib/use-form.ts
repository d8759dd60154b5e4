import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'

type Faults<Name extends string> = Readonly<Partial<Record<Name, string | undefined>>>

export interface FormSetup<Name extends string> {
  readonly initial: Readonly<Record<Name, string>>
  /** What is wrong with which field, in the order of the form; called on every change. */
  readonly faultsOf: (values: Readonly<Record<Name, string>>) => Faults<Name>
  /**
   * Called with values that have no fault; what it throws becomes `failure`.
   * @param set for what the send itself changes, such as a password that is not kept in the form
   */
  readonly send: (values: Readonly<Record<Name, string>>, set: FormState<Name>['set']) => Promise<void>
  /** Which field an answer of the server is about, if it is about one. */
  readonly fieldOf?: (error: unknown) => Name | undefined
  /** Called once what was sent counts as saved: nothing asks any longer before the page is left. */
  readonly onSaved?: (() => void) | undefined
}

export interface FormField {
  readonly name: string
  readonly value: string
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void
  readonly onBlur: () => void
  readonly error: string | undefined
}

export interface FormState<Name extends string> {
  readonly values: Readonly<Record<Name, string>>
  readonly set: (changes: Readonly<Partial<Record<Name, string>>>) => void
  /** What a field of that name spreads onto its input. */
  readonly field: (name: Name) => FormField
  /** Shows what is wrong with these fields and moves the focus to the first of them. @returns whether nothing is */
  readonly check: (form: HTMLFormElement, names: readonly Name[]) => boolean
  /** Checks everything, then sends; `instead` does something else with the values than `send`. */
  readonly submit: (form: HTMLFormElement, instead?: FormSetup<Name>['send']) => void
  readonly isBusy: boolean
  /** What the last send threw, unless it is about one field. */
  readonly failure: unknown
  /** What the last send threw about one field, until that field changes. */
  readonly refused: { readonly name: Name; readonly error: unknown } | undefined
  /** Fields that differ from what was last saved, or given at first. */
  readonly changed: readonly Name[]
  /** Fields that show what is wrong with them. */
  readonly faulty: readonly Name[]
  /** Back to the first values, nothing marked as wrong. */
  readonly reset: () => void
}

/**
 * The state of a form. A field is checked on every change and shows its fault from the first one on, or once it was left
 * with something in it; a submit shows all faults and moves the focus to the first. One submit runs at a time.
 */
export function useForm<Name extends string>({
  initial,
  faultsOf,
  send,
  fieldOf,
  onSaved,
}: FormSetup<Name>): FormState<Name> {
  const [values, setValues] = useState(initial)
  const [saved, setSaved] = useState(initial)
  const [refused, setRefused] = useState<FormState<Name>['refused']>()
  const [touched, setTouched] = useState<ReadonlySet<Name>>(new Set())
  const [failure, setFailure] = useState<unknown>()
  const { isBusy, runAlone } = useRunAlone()
  const faults = faultsOf(values)
  const touch = (names: readonly Name[]): void => setTouched((before) => new Set([...before, ...names]))
  const names = Object.keys(values) as Name[]
  const latest = useRef(values)
  const change = (changes: Readonly<Partial<Record<Name, string>>>): void => {
    latest.current = { ...latest.current, ...changes }
    setValues(latest.current)
    setRefused((before) => (before !== undefined && before.name in changes ? undefined : before))
  }
  const sendNow = async (form: HTMLFormElement, action: FormSetup<Name>['send']): Promise<void> => {
    setFailure(undefined)
    setRefused(undefined)
    try {
      const sent = await sentBy(action, values, change)
      if (action === send) {
        flushSync(() => setSaved(sent))
        onSaved?.()
      }
    } catch (error) {
      const name = fieldOf?.(error)
      if (name === undefined) return setFailure(error)
      setRefused({ name, error })
      focusField(form, name)
    }
  }
  return {
    values,
    isBusy,
    failure,
    refused,
    changed: names.filter((name) => values[name] !== saved[name]),
    faulty: names.filter((name) => refused?.name === name || (touched.has(name) && faults[name] !== undefined)),
    set: change,
    field: (name) => ({
      name,
      value: values[name],
      onChange: ({ target }) => {
        change({ [name]: target.value } as Partial<Record<Name, string>>)
        touch([name])
      },
      onBlur: () => values[name] !== '' && touch([name]),
      error: touched.has(name) ? faults[name] : undefined,
    }),
    check(form, wanted) {
      touch(wanted)
      const first = wanted.find((name) => faults[name] !== undefined)
      if (first !== undefined) focusField(form, first)
      return first === undefined
    },
    submit(form, instead = send) {
      touch(names)
      const first = (Object.keys(faults) as Name[]).find((name) => faults[name] !== undefined)
      if (first === undefined) void runAlone(() => sendNow(form, instead))
      else focusField(form, first)
    },
    reset() {
      latest.current = initial
      setValues(initial)
      setTouched(new Set())
      setFailure(undefined)
      setRefused(undefined)
    },
  }
}

/** @returns what was sent, with what the send itself has changed; what is typed meanwhile is no part of it, and stays unsaved */
async function sentBy<Name extends string>(
  send: FormSetup<Name>['send'],
  values: FormState<Name>['values'],
  change: FormState<Name>['set'],
): Promise<FormState<Name>['values']> {
  let sent = values
  await send(values, (changes) => {
    sent = { ...sent, ...changes }
    change(changes)
  })
  return sent
}

/** Runs one piece of work at a time; what is asked for meanwhile is dropped. */
export function useRunAlone() {
  const [isBusy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const runAlone = async (work: () => Promise<void>): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    try {
      await work()
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { isBusy, runAlone }
}

function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}
