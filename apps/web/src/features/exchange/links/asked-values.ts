import type { GuestField, GuestForm } from '@godwit/contract'

/** What an owner asks guests, as the fields of the dialog hold it. */

export type AskedName = 'terms' | 'askName' | 'askEmail' | 'askRemark' | 'askOwn'
export type AskedValues = Readonly<Record<AskedName, string>>

export const STANDARD_FIELDS = [
  { name: 'askName', kind: 'name' },
  { name: 'askEmail', kind: 'email' },
  { name: 'askRemark', kind: 'remark' },
] as const
/** Together with the three above, as many as the server takes. */
export const OWN_FIELDS_MAX = 7

/** A field of the owner's own; choices are separated by semicolons, none make it free text. */
export interface OwnField {
  readonly label: string
  readonly required: boolean
  readonly choices: string
}

export function ownFieldsIn(text: string): readonly OwnField[] {
  return text === '' ? [] : (JSON.parse(text) as readonly OwnField[])
}

export function ownFieldsText(fields: readonly OwnField[]): string {
  return fields.length === 0 ? '' : JSON.stringify(fields)
}

/** Whether one of them has no name. */
export function ownFieldFault(text: string): boolean {
  return ownFieldsIn(text).some(({ label }) => label.trim() === '')
}

export function askedValues(form: GuestForm | null): AskedValues {
  const fields = form?.fields ?? []
  const standard = (kind: GuestField['kind']): string => {
    const field = fields.find((each) => each.kind === kind)
    return field === undefined ? '' : field.required ? 'required' : 'optional'
  }
  const own = fields.filter(({ kind }) => kind === 'text' || kind === 'choice')
  return {
    terms: form?.terms ?? '',
    askName: standard('name'),
    askEmail: standard('email'),
    askRemark: standard('remark'),
    askOwn: ownFieldsText(
      own.map(({ label, required, choices }) => ({ label, required, choices: choices.join('; ') })),
    ),
  }
}

/** Null asks nothing. */
export function guestFormOf(values: AskedValues): GuestForm | null {
  const fields = [
    ...STANDARD_FIELDS.filter(({ name }) => values[name] !== '').map(({ name, kind }): GuestField => ({
      kind,
      label: '',
      required: values[name] === 'required',
      choices: [],
    })),
    ...ownFieldsIn(values.askOwn).map(ownField),
  ]
  const terms = values.terms.trim()
  return terms === '' && fields.length === 0 ? null : { terms, fields }
}

function ownField({ label, required, choices: text }: OwnField): GuestField {
  const choices = text
    .split(/[;；]/)
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '')
  return { kind: choices.length === 0 ? 'text' : 'choice', label: label.trim(), required, choices }
}
