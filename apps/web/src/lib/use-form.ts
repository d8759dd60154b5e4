import { useRef, useState } from 'react'

type Faults<Name extends string> = Readonly<Partial<Record<Name, string | undefined>>>

export interface FormSetup<Name extends string> {
  readonly initial: Readonly<Record<Name, string>>
  /** What is wrong with which field, in the order of the form; called on every change. */
  readonly faultsOf: (values: Readonly<Record<Name, string>>) => Faults<Name>
  /** Called with values that have no fault; what it throws becomes `failure`. */
  readonly send: (values: Readonly<Record<Name, string>>) => Promise<void>
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
  /** Checks everything, then sends; `instead` does something else with the values than `send`. */
  readonly submit: (form: HTMLFormElement, instead?: FormSetup<Name>['send']) => void
  readonly isBusy: boolean
  readonly failure: unknown
  /** Back to the first values, nothing marked as wrong. */
  readonly reset: () => void
}

/**
 * The state of a form. A field is checked on every change and shows its fault from the first one on, or once it was left
 * with something in it; a submit shows all faults and moves the focus to the first. One submit runs at a time.
 */
export function useForm<Name extends string>({ initial, faultsOf, send }: FormSetup<Name>): FormState<Name> {
  const [values, setValues] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<Name>>(new Set())
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const isRunning = useRef(false)
  const faults = faultsOf(values)
  const touch = (names: readonly Name[]): void => setTouched((before) => new Set([...before, ...names]))
  const run = async (action: FormSetup<Name>['send']): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setFailure(undefined)
    try {
      await action(values)
    } catch (error) {
      setFailure(error)
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return {
    values,
    isBusy,
    failure,
    set: (changes) => setValues((before) => ({ ...before, ...changes })),
    field: (name) => ({
      name,
      value: values[name],
      onChange: ({ target }) => {
        setValues((before) => ({ ...before, [name]: target.value }))
        touch([name])
      },
      onBlur: () => values[name] !== '' && touch([name]),
      error: touched.has(name) ? faults[name] : undefined,
    }),
    submit(form, instead = send) {
      const names = Object.keys(values) as Name[]
      touch(names)
      const first = (Object.keys(faults) as Name[]).find((name) => faults[name] !== undefined)
      if (first === undefined) void run(instead)
      else focusField(form, first)
    },
    reset() {
      setValues(initial)
      setTouched(new Set())
      setFailure(undefined)
    },
  }
}

function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}
