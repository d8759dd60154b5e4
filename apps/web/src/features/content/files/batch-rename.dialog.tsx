import { useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { type BatchRule, inOrder, planRenames, type Rename, type Renamed } from './batch-rename.ts'
import styles from './batch-rename.module.css'

export interface BatchRenameProps {
  readonly entries: readonly Renamed[]
  /** Every name of the folder. */
  readonly all: readonly string[]
  readonly onRename: (steps: readonly Rename[]) => void
  readonly onClose: () => void
}

const MODES = ['number', 'replace', 'add'] as const
type Mode = (typeof MODES)[number]

/** More are renamed than are shown: a list of thousands is read by nobody. */
const SHOWN = 200

/** New names for several entries, shown before anything happens. */
export function BatchRenameDialog({ entries, all, onRename, onClose }: BatchRenameProps) {
  const texts = useTexts()
  const [mode, setMode] = useState<Mode>('number')
  const [fields, setFields] = useState({ pattern: '', first: '1', find: '', by: '', before: '', after: '' })
  const set = (change: Partial<typeof fields>): void => setFields({ ...fields, ...change })
  const renames = planRenames(entries, ruleOf(mode, fields), all)
  const faults = renames.filter(({ fault }) => fault !== undefined).length
  const { steps } = inOrder(renames)
  const canRename = faults === 0 && steps.length > 0
  const submit = (): void => {
    if (!canRename) return
    onClose()
    onRename(steps)
  }
  const field = (name: keyof typeof fields, hint?: string) => (
    <TextField
      label={texts(`batch.${name}`)}
      hint={hint}
      value={fields[name]}
      inputMode={name === 'first' ? 'numeric' : undefined}
      spellCheck={false}
      onChange={(event) => set({ [name]: event.target.value })}
    />
  )
  return (
    <Dialog
      title={texts('batch.title', { count: entries.length })}
      closeLabel={texts('common.close')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{texts('common.cancel')}</Button>
          <Button kind="solid" disabled={!canRename} onClick={submit}>
            {texts('batch.submit', { count: steps.length })}
          </Button>
        </>
      }
    >
      <Form onSubmit={submit}>
        <SelectField
          label={texts('batch.mode')}
          value={mode}
          onChange={(event) => setMode(MODES.find((each) => each === event.target.value) ?? 'number')}
          choices={MODES.map((value) => ({ value, label: texts(`batch.mode.${value}`) }))}
        />
        <div className={styles['fields']}>
          {mode === 'number' && field('pattern', texts('batch.pattern-hint'))}
          {mode === 'number' && field('first')}
          {mode === 'replace' && field('find')}
          {mode === 'replace' && field('by')}
          {mode === 'add' && field('before')}
          {mode === 'add' && field('after')}
        </div>
      </Form>
      <Preview renames={renames} faults={faults} />
    </Dialog>
  )
}

function ruleOf(
  mode: Mode,
  fields: Readonly<Record<'pattern' | 'first' | 'find' | 'by' | 'before' | 'after', string>>,
): BatchRule {
  if (mode === 'replace') return { mode, find: fields.find, by: fields.by }
  if (mode === 'add') return { mode, before: fields.before, after: fields.after }
  const first = /^\d{1,9}$/.test(fields.first.trim()) ? Number(fields.first) : 1
  // Nothing typed yet changes nothing.
  return fields.pattern === '' ? { mode: 'add', before: '', after: '' } : { mode, pattern: fields.pattern, first }
}

function Preview({ renames, faults }: { readonly renames: readonly Rename[]; readonly faults: number }) {
  const texts = useTexts()
  return (
    <>
      <p className={styles['summary']} role="status">
        {faults > 0 && texts('batch.faults', { count: faults })}
      </p>
      <div className={styles['preview']} tabIndex={0} role="region" aria-label={texts('batch.preview')}>
        <ol>
          {renames.slice(0, SHOWN).map(({ from, to, fault }) => (
            <li key={from} data-fault={fault}>
              <span translate="no">{from}</span>
              <span translate="no" className={styles['to']}>
                {`→ ${to}`}
              </span>
              {fault !== undefined && (
                <span className={styles['fault']}>
                  {fault === 'taken' ? texts('rename.exists') : texts.nameFault(fault)}
                </span>
              )}
            </li>
          ))}
        </ol>
        {renames.length > SHOWN && <p>{texts('batch.more', { count: renames.length - SHOWN })}</p>}
      </div>
    </>
  )
}
