import { nameFault, normaliseName } from '@godwit/contract/names'
import { useLayoutEffect, useRef, useState } from 'react'
import { stemLength } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import styles from './file-grid.module.css'

/** What is typed so far: the field is made anew when its entry comes to stand elsewhere in the list. */
export interface NameDraft {
  current?: string
}

export interface RenameFieldProps {
  readonly name: string
  readonly draftRef: NameDraft
  readonly isFolder: boolean
  readonly isTaken: (name: string) => boolean
  readonly onCommit: (name: string) => void
  readonly onCancel: () => void
}

/** Edits a name in place: the stem is selected, Enter takes it, Escape leaves it, what is wrong is said beside it. */
export function RenameField({ name, draftRef, isFolder, isTaken, onCommit, onCancel }: RenameFieldProps) {
  const texts = useTexts()
  const [value, setValue] = useState(draftRef.current ?? name)
  const ref = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  useLayoutEffect(() => {
    ref.current?.focus()
    const text = draftRef.current
    if (text === undefined) ref.current?.setSelectionRange(0, isFolder ? name.length : stemLength(name))
    else ref.current?.setSelectionRange(text.length, text.length)
  }, [name, draftRef, isFolder])
  const wanted = normaliseName(value)
  const fault = nameFault(wanted)
  const problem =
    fault !== undefined
      ? texts.nameFault(fault)
      : wanted !== name && isTaken(wanted)
        ? texts('rename.exists')
        : undefined
  const finish = (commit: boolean): void => {
    if (isDone.current || (commit && problem !== undefined)) return
    isDone.current = true
    if (commit && wanted !== name) onCommit(wanted)
    else onCancel()
  }
  return (
    <div className={styles['editor']} data-editor>
      <input
        ref={ref}
        value={value}
        spellCheck={false}
        aria-label={texts('rename.label', { name })}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : 'rename-fault'}
        onChange={(event) => {
          draftRef.current = event.target.value
          setValue(event.target.value)
        }}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Enter') finish(true)
          if (event.key === 'Escape') finish(false)
        }}
        onBlur={() => (problem === undefined ? finish(true) : finish(false))}
      />
      {problem !== undefined && (
        <p className={styles['fault']} id="rename-fault" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
