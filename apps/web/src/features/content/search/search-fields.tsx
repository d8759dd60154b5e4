import { useTexts } from '../../../lib/texts.tsx'
import styles from './search.module.css'
import { AGES, KINDS, SCOPES, type SearchChoice, SIZES } from './search-filters.ts'

interface SearchFieldsProps {
  readonly choice: SearchChoice
  readonly hasContents: boolean
  readonly onChange: (choice: SearchChoice) => void
}

/** Where to look, and for what kind of thing. */
export function SearchFields({ choice, hasContents, onChange }: SearchFieldsProps) {
  const texts = useTexts()
  return (
    <>
      <div className={styles['scopes']} role="radiogroup" aria-label={texts('find.scope')}>
        {SCOPES.map((scope) => (
          <label key={scope} className={styles['scope']}>
            <input
              type="radio"
              name="search-scope"
              checked={choice.scope === scope}
              onChange={() => onChange({ ...choice, scope })}
            />
            <span>{texts(`find.scope.${scope}`)}</span>
          </label>
        ))}
      </div>
      <div className={styles['filters']}>
        <Filter
          label={texts('find.kind')}
          value={choice.kind}
          choices={KINDS.map((kind) => [kind, texts(`find.kind.${kind}`)])}
          onChange={(kind) => onChange({ ...choice, kind })}
        />
        <Filter
          label={texts('find.size')}
          value={choice.size}
          choices={SIZES.map((size) => [size, texts(`find.size.${size}`)])}
          onChange={(size) => onChange({ ...choice, size })}
        />
        <Filter
          label={texts('find.age')}
          value={choice.age}
          choices={AGES.map((age) => [age, texts(`find.age.${age}`)])}
          onChange={(age) => onChange({ ...choice, age })}
        />
      </div>
      {hasContents && (
        <label className={styles['contents']}>
          <input
            type="checkbox"
            checked={choice.inContents}
            onChange={({ target }) => onChange({ ...choice, inContents: target.checked })}
          />
          {texts('find.in-contents')}
        </label>
      )}
    </>
  )
}

interface FilterProps<Value extends string> {
  readonly label: string
  readonly value: Value | ''
  readonly choices: ReadonlyArray<readonly [Value, string]>
  readonly onChange: (value: Value | '') => void
}

/** The first choice names the filter and switches it off. */
function Filter<Value extends string>({ label, value, choices, onChange }: FilterProps<Value>) {
  return (
    <select
      className={styles['filter']}
      aria-label={label}
      data-on={value !== ''}
      value={value}
      onChange={(event) => onChange(choices.find(([each]) => each === event.target.value)?.[0] ?? '')}
    >
      <option value="">{label}</option>
      {choices.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  )
}
