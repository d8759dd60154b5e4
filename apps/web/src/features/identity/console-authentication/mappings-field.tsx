import { CircleAlert, Trash2 } from 'lucide-react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import textStyles from '../../../ui/text-field.module.css'
import styles from './authentication.module.css'
import { groupsOf, type Mapping, mappingsOf } from './provider-values.ts'

export interface MappingsFieldProps {
  /** JSON, as the wire has it. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** Groups and departments. */
  readonly targets: readonly SelectChoice[]
  readonly error: string | undefined
  /** Groups of a directory, or groups and roles in a claim. */
  readonly of: 'groups' | 'roles'
}

/** Groups there, each with the group or department here that its members join. */
export function MappingsField({ value, onChange, targets, error, of }: MappingsFieldProps) {
  const texts = useTexts()
  const mappings = mappingsOf(value)
  const change = (at: number, part: Partial<Mapping>): void =>
    onChange(groupsOf(mappings.map((mapping, each) => (each === at ? { ...mapping, ...part } : mapping))))
  return (
    <fieldset className={styles['mappings']}>
      <legend className={textStyles['label']}>{texts(`authentication.${of}`)}</legend>
      {mappings.map(({ dn, target }, at) => (
        // Rows have no name but their place.
        <div key={at} className={styles['mapping']}>
          <input
            className={textStyles['input']}
            aria-label={texts(`authentication.${of}.dn`, { number: at + 1 })}
            placeholder={texts(`authentication.${of}.example`)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            translate="no"
            value={dn}
            onChange={(event) => change(at, { dn: event.target.value })}
          />
          <select
            className={textStyles['input']}
            aria-label={texts(`authentication.${of}.target`, { number: at + 1 })}
            value={target}
            onChange={(event) => change(at, { target: event.target.value })}
          >
            <option value="">{texts('authentication.groups.choose')}</option>
            {targets.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
          <Button
            aria-label={texts(`authentication.${of}.remove`, { number: at + 1 })}
            onClick={() => onChange(groupsOf(mappings.filter((_mapping, each) => each !== at)))}
          >
            <Trash2 size={16} aria-hidden="true" />
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange(groupsOf([...mappings, { dn: '', target: '' }]))}>
          {texts(`authentication.${of}.add`)}
        </Button>
      </div>
      <p className={textStyles[error === undefined ? 'hint' : 'error']}>
        {error !== undefined && <CircleAlert size={14} aria-hidden="true" />}
        {error ?? texts(`authentication.${of}.hint`)}
      </p>
    </fieldset>
  )
}
