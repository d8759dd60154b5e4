import type { ErrorName } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { InputHTMLAttributes, ReactNode } from 'react'
import type { Texts } from '../../lib/texts.tsx'
import type { FormState } from '../../lib/use-form.ts'
import type { SelectChoice } from '../select-field.tsx'

export type Values<Name extends string> = Readonly<Record<Name, string>>

interface FieldBase<Name extends string> {
  readonly label: string
  readonly hint?: string | ((values: Values<Name>) => string) | undefined
  readonly isRequired?: boolean | ((values: Values<Name>) => boolean)
  /** Said when a required field is empty. */
  readonly missing?: string
  /** What is wrong with a value that is not empty. Values reach it as they were typed. */
  readonly rule?: (value: string, values: Values<Name>) => string | undefined
  /** Answers of the server that are about this field. */
  readonly errors?: readonly ErrorName[]
  /** What the wire calls it, by which the server names it in a refusal. */
  readonly wire?: string
  /** What else changes with it. */
  readonly derive?: (value: string, values: Values<Name>) => Partial<Values<Name>>
  /** Stands beside the field before it, as long as there is room. */
  readonly isBeside?: boolean
  /** Shown, and not to be changed here. */
  readonly isReadOnly?: boolean
  /** Without meaning beside the present values, so neither shown nor checked. */
  readonly isHidden?: (values: Values<Name>) => boolean
  /** What is worth knowing about the present value, and can be done with it. */
  readonly note?: (values: Values<Name>, form: FormState<Name>) => ReactNode
}

type InputFacts = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'autoComplete' | 'autoCapitalize' | 'autoFocus' | 'inputMode' | 'maxLength' | 'spellCheck' | 'translate'
>

/** A switch that is on; one that is off is empty. */
export const ON = 'on'

/** One field, by its kind. `checks` holds the chosen values separated by spaces, `switch` is {@link ON} or empty. */
export type Field<Name extends string> = FieldBase<Name> &
  (
    | ({ readonly kind: 'text' | 'password' } & InputFacts)
    | {
        readonly kind: 'select'
        readonly choices: readonly SelectChoice[] | ((values: Values<Name>) => readonly SelectChoice[])
        readonly translate?: 'no'
      }
    | { readonly kind: 'checks'; readonly choices: readonly SelectChoice[] }
    | { readonly kind: 'switch' }
    | { readonly kind: 'custom'; readonly render: (form: FormState<Name>, error: string | undefined) => ReactNode }
  )

/** The fields of a form in their order. A form is its schema; everything else is the same for all. */
export type FormSchema<Name extends string> = Readonly<Record<Name, Field<Name>>>

export interface FormTab<Name extends string> {
  readonly id: string
  readonly label: string
  readonly fields: readonly Name[]
}

/** What is wrong with which field, in the order of the form. */
export function schemaFaults<Name extends string>(
  schema: FormSchema<Name>,
  values: Values<Name>,
  texts: Texts,
): Partial<Record<Name, string | undefined>> {
  const entries = namesOf(schema).map((name) => [name, faultOf(schema[name], values[name], values, texts)] as const)
  return Object.fromEntries(entries) as Partial<Record<Name, string | undefined>>
}

function faultOf<Name extends string>(
  { isRequired, isHidden, isReadOnly, missing, rule }: Field<Name>,
  ...[value, values, texts]: readonly [string, Values<Name>, Texts]
): string | undefined {
  if (isReadOnly === true || isHidden?.(values) === true) return undefined
  if (value.trim() === '')
    return valueOf(isRequired, values) === true ? (missing ?? texts('common.required')) : undefined
  return rule?.(value, values)
}

/** A fact of a field that may follow the values. */
export function valueOf<Name extends string, Fact>(
  fact: Fact | ((values: Values<Name>) => Fact),
  values: Values<Name>,
): Fact {
  return typeof fact === 'function' ? (fact as (values: Values<Name>) => Fact)(values) : fact
}

/** The shown field that an answer of the server is about: by its code, or by the name that it carries. */
export function fieldOfError<Name extends string>(
  schema: FormSchema<Name>,
  error: unknown,
  values: Values<Name>,
): Name | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { field } = error.data
  return namesOf(schema).find((name) => {
    const { errors = [], wire, isHidden } = schema[name]
    if (isHidden?.(values) === true) return false
    if (errors.some((each) => each === error.name)) return true
    // An entry of a list is named with its place: `names.3`.
    return wire !== undefined && typeof field === 'string' && (wire === field || field.startsWith(`${wire}.`))
  })
}

export function namesOf<Name extends string>(schema: FormSchema<Name>): readonly Name[] {
  return Object.keys(schema) as Name[]
}

/** The tab that holds the first of these fields. */
export function tabOf<Name extends string>(
  tabs: ReadonlyArray<FormTab<Name>>,
  names: readonly Name[],
): FormTab<Name> | undefined {
  return tabs.find(({ fields }) => names.some((name) => fields.includes(name)))
}
