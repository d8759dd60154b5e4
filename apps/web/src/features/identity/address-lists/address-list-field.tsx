import type { EditionName } from '@godwit/contract/foundation/editions'
import type { Field } from '../../../ui/form/index.ts'
import { LimitBox } from '../../foundation/site/index.ts'

const LIST_MAX = 255

export interface AddressListOptions {
  readonly label: string
  readonly hint: string
  readonly wire: string
  /** What the limit is about; default: the label. */
  readonly limited?: string
  /** What is in force. */
  readonly held: string
  /** The least edition with address lists; undefined where this one has them. */
  readonly missing: EditionName | undefined
}

/** Addresses from where something may be reached, or the limit of an edition without them: a list of before can be emptied. */
export function addressListField<Name extends string>({
  label,
  hint,
  wire,
  limited = label,
  held,
  missing,
}: AddressListOptions): Field<Name> {
  if (missing !== undefined && held === '')
    return { kind: 'custom', label, wire, render: () => <LimitBox page={limited} edition={missing} /> }
  return {
    ...{ kind: 'text', label, hint, wire },
    ...{ maxLength: LIST_MAX, autoComplete: 'off', spellCheck: false, translate: 'no' },
  }
}
