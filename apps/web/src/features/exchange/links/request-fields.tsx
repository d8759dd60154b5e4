import { Plus, X } from 'lucide-react'
import { useTexts } from '../../../lib/texts.tsx'
import type { FormState } from '../../../lib/use-form.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { LinkField } from './link-form.ts'
import styles from './link-fields.module.css'
import shared from './links.module.css'
import { type ItemDraft, itemFault, itemsIn, itemsText, newItem, REQUEST_ITEMS_MAX } from './request-values.ts'

const NAME_MAX = 64
const PATTERN_MAX = 128
const SHA256_LENGTH = 64

export interface RequestFieldsProps {
  readonly form: FormState<LinkField>
  /** What is wrong is shown at its line. */
  readonly isChecked: boolean
}

/** The checklist of an invite link: what is expected, and what becomes of anything else. */
export function RequestFields({ form, isChecked }: RequestFieldsProps) {
  const texts = useTexts()
  const { values } = form
  const items = itemsIn(values.request)
  const set = (next: readonly ItemDraft[]): void => form.set({ request: itemsText(next) })
  return (
    <details className={styles['more']} open={items.length > 0}>
      <summary>{texts('links.section.request')}</summary>
      <div className={styles['section']}>
        <p className={shared['note']}>{texts('links.request.hint')}</p>
        {items.map((item, at) => (
          <ItemFields
            key={item.id}
            item={item}
            number={at + 1}
            isChecked={isChecked}
            onChange={(part) => set(items.map((each) => (each.id === item.id ? { ...each, ...part } : each)))}
            onRemove={() => set(items.filter(({ id }) => id !== item.id))}
          />
        ))}
        {items.length < REQUEST_ITEMS_MAX && (
          <div>
            <Button onClick={() => set([...items, newItem()])}>
              <Plus size={16} aria-hidden="true" />
              {texts('links.request.add')}
            </Button>
          </div>
        )}
        {items.length > 0 && (
          <>
            <Choice form={form} name="requestOthers" label={texts('links.request.others')} />
            <Choice form={form} name="requestInsist" label={texts('links.request.insist')} />
          </>
        )}
      </div>
    </details>
  )
}

interface ChoiceProps {
  readonly form: FormState<LinkField>
  readonly name: 'requestOthers' | 'requestInsist'
  readonly label: string
}

function Choice({ form, name, label }: ChoiceProps) {
  return (
    <label className={styles['switch']}>
      <input
        type="checkbox"
        name={name}
        checked={form.values[name] === 'on'}
        onChange={({ target }) => form.set({ [name]: target.checked ? 'on' : '' })}
      />
      <span>{label}</span>
    </label>
  )
}

interface ItemFieldsProps {
  readonly item: ItemDraft
  readonly number: number
  readonly isChecked: boolean
  readonly onChange: (part: Partial<ItemDraft>) => void
  readonly onRemove: () => void
}

function ItemFields({ item, number, isChecked, onChange, onRemove }: ItemFieldsProps) {
  const texts = useTexts()
  const fault = isChecked ? itemFault(item) : undefined
  const errorAt = (kind: typeof fault): string | undefined =>
    fault === kind && kind !== undefined ? texts(`links.request.fault.${kind}`) : undefined
  return (
    <fieldset className={styles['requested']}>
      <legend>{texts('links.request.item', { number })}</legend>
      <TextField
        name={fault === undefined ? undefined : 'request'}
        label={texts('links.request.name')}
        hint={texts('links.request.name-hint')}
        value={item.name}
        error={errorAt('name')}
        maxLength={NAME_MAX}
        required
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextField
        label={texts('links.request.count')}
        value={item.count}
        error={errorAt('count')}
        inputMode="numeric"
        maxLength={4}
        onChange={({ target }) => onChange({ count: target.value.trim() })}
      />
      <label className={styles['switch']}>
        <input
          type="checkbox"
          checked={item.required}
          onChange={({ target }) => onChange({ required: target.checked })}
        />
        <span>{texts('links.ask.required')}</span>
      </label>
      <IconButton
        label={texts('links.request.remove', { number })}
        icon={<X size={18} aria-hidden="true" />}
        onClick={onRemove}
      />
      <Rules item={item} errorAt={errorAt} onChange={onChange} />
    </fieldset>
  )
}

interface RulesProps extends Pick<ItemFieldsProps, 'item' | 'onChange'> {
  readonly errorAt: (kind: ReturnType<typeof itemFault>) => string | undefined
}

/** What a file of this item must be like. */
function Rules({ item, errorAt, onChange }: RulesProps) {
  const texts = useTexts()
  const hasRules = [item.pattern, item.types, item.min, item.max, item.sha256].some((rule) => rule !== '')
  return (
    <details className={styles['rules']} open={hasRules || errorAt('checksum') !== undefined}>
      <summary>{texts('links.request.rules')}</summary>
      <div className={styles['ruleFields']}>
        <TextField
          label={texts('links.request.pattern')}
          hint={texts('links.request.pattern-hint')}
          value={item.pattern}
          maxLength={PATTERN_MAX}
          onChange={({ target }) => onChange({ pattern: target.value })}
        />
        <TextField
          label={texts('links.request.types')}
          hint={texts('links.request.types-hint')}
          value={item.types}
          error={errorAt('types')}
          maxLength={PATTERN_MAX}
          onChange={({ target }) => onChange({ types: target.value })}
        />
        <TextField
          label={texts('links.request.min')}
          value={item.min}
          inputMode="decimal"
          maxLength={16}
          onChange={({ target }) => onChange({ min: target.value })}
        />
        <TextField
          label={texts('links.request.max')}
          value={item.max}
          error={errorAt('size')}
          inputMode="decimal"
          maxLength={16}
          onChange={({ target }) => onChange({ max: target.value })}
        />
        <div className={styles['wideRule']}>
          <TextField
            label={texts('links.request.sha256')}
            hint={texts('links.request.sha256-hint')}
            value={item.sha256}
            error={errorAt('checksum')}
            maxLength={SHA256_LENGTH}
            spellCheck={false}
            onChange={({ target }) => onChange({ sha256: target.value.trim() })}
          />
        </div>
      </div>
    </details>
  )
}
