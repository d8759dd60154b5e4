import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './dialogs.module.css'
import icons from './file-icons.module.css'
import { fileKind } from './file-kinds.ts'
import { findContaining, isFolder, type Listing } from './listing.ts'

export interface FindProps {
  readonly listing: Listing
  readonly onChoose: (row: number) => void
  readonly onClose: () => void
}

const SHOWN_MAX = 100

/** Finds names in the folder that is shown; a result opens the item. */
export function FindDialog({ listing, onChoose, onClose }: FindProps) {
  const texts = useTexts()
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text)
  const found = useMemo(() => findContaining(listing, wanted, SHOWN_MAX), [listing, wanted])
  const ref = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      title={texts('find.title')}
      closeLabel={texts('common.close')}
      onClose={onClose}
      width="wide"
      initialFocus={ref}
    >
      <TextField
        ref={ref}
        label={texts('find.placeholder')}
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className={styles['summary']} role="status">
        {wanted === '' ? '' : found.count === 0 ? texts('find.none') : texts('find.results', { count: found.count })}
      </p>
      {found.rows.length > 0 && (
        <div className={styles['results']}>
          {found.rows.map((row) => (
            <Result key={row} listing={listing} row={row} text={wanted} onChoose={onChoose} />
          ))}
        </div>
      )}
    </Dialog>
  )
}

interface ResultProps {
  readonly listing: Listing
  readonly row: number
  readonly text: string
  readonly onChoose: (row: number) => void
}

function Result({ listing, row, text, onChoose }: ResultProps) {
  const name = listing.names[row] ?? ''
  const kind = fileKind(name, isFolder(listing.types[row] ?? 0))
  const at = name.toLocaleLowerCase().indexOf(text.toLocaleLowerCase())
  const end = at + text.length
  return (
    <button
      type="button"
      className={classNames(styles['option'], styles['result'], icons['icon'], icons[kind])}
      onClick={() => onChoose(row)}
    >
      <span translate="no">
        {name.slice(0, at)}
        <mark>{name.slice(at, end)}</mark>
        {name.slice(end)}
      </span>
    </button>
  )
}
