import { useState } from 'react'
import { useTexts } from '../../lib/texts.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './console-kit.module.css'
import { type ChosenColumn, DENSITIES, type ListView, type ListViewState } from './list-view.ts'

export interface ColumnsDialogProps extends ListViewState {
  readonly columns: ReadonlyArray<ChosenColumn & { readonly header: string }>
  readonly onClose: () => void
}

/** Which columns a list shows and how close its rows stand. */
export function ColumnsDialog({ columns, view, choose, onClose }: ColumnsDialogProps) {
  const texts = useTexts()
  const [chosen, setChosen] = useState<ListView>(view)
  const toggle = (id: string): void => {
    const has = chosen.columns.includes(id)
    const next = columns.filter((each) => (each.id === id ? !has : chosen.columns.includes(each.id)))
    setChosen({ ...chosen, columns: next.map((each) => each.id) })
  }
  const finish = (next: ListView | undefined): void => {
    onClose()
    choose(next)
  }
  return (
    <Dialog
      title={texts('console.view')}
      closeLabel={texts('common.close')}
      onClose={onClose}
      foot={
        <>
          <Button className={styles['start']} onClick={() => finish(undefined)}>
            {texts('console.view.reset')}
          </Button>
          <Button onClick={onClose}>{texts('common.cancel')}</Button>
          <Button kind="solid" onClick={() => finish(chosen)}>
            {texts('console.view.apply')}
          </Button>
        </>
      }
    >
      <fieldset className={styles['choices']}>
        <legend>{texts('console.view.columns')}</legend>
        {columns.map(({ id, header, isFixed = false }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={chosen.columns.includes(id)}
              disabled={isFixed}
              onChange={() => toggle(id)}
            />
            {header}
          </label>
        ))}
      </fieldset>
      <fieldset className={styles['choices']}>
        <legend>{texts('console.view.density')}</legend>
        {DENSITIES.map((density) => (
          <label key={density}>
            <input
              type="radio"
              name="density"
              checked={chosen.density === density}
              onChange={() => setChosen({ ...chosen, density })}
            />
            {texts(`console.view.density.${density}`)}
          </label>
        ))}
      </fieldset>
    </Dialog>
  )
}
