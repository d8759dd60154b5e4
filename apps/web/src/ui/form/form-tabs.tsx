import { CircleAlert } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTexts } from '../../lib/texts.tsx'
import { Button } from '../button.tsx'
import { Hidden } from '../hidden.tsx'
import { showChosen } from '../show-chosen.ts'
import styles from './form.module.css'
import { type FormTab, tabOf } from './schema.ts'

export interface Tabbed<Name extends string> {
  readonly current: number
  readonly show: (index: number) => void
  /** Shows the tab of the first of these fields, so that it can take the focus. */
  readonly reveal: (names: readonly Name[]) => void
}

/** @param faulty fields that show a fault: a refusal of the server brings its tab to the front */
export function useTabs<Name extends string>(
  tabs: ReadonlyArray<FormTab<Name>>,
  faulty: readonly Name[],
): Tabbed<Name> {
  const [current, show] = useState(0)
  const [known, setKnown] = useState(faulty.length)
  const indexOf = (names: readonly Name[]): number => tabs.findIndex((tab) => tab === tabOf(tabs, names))
  if (known !== faulty.length) {
    setKnown(faulty.length)
    const index = indexOf(faulty)
    if (index >= 0 && known === 0) show(index)
  }
  return {
    current,
    show,
    reveal(names) {
      const index = indexOf(names)
      // Drawn at once: a hidden field cannot take the focus.
      if (index >= 0) flushSync(() => show(index))
    },
  }
}

export interface FormTabsProps<Name extends string> extends Tabbed<Name> {
  readonly tabs: ReadonlyArray<FormTab<Name>>
  readonly faulty: readonly Name[]
  /** Shows what is wrong with these fields. @returns whether the next part may be shown */
  readonly onNext: (form: HTMLFormElement, names: readonly Name[]) => boolean
  readonly children: (tab: FormTab<Name>) => ReactNode
}

/** The parts of a long form, one at a time. All of them stay in the form; one with a fault is marked. */
export function FormTabs<Name extends string>(props: FormTabsProps<Name>) {
  const { tabs, faulty, current, show, onNext, children } = props
  const texts = useTexts()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // The row of tabs scrolls where there is not enough room for all.
  useEffect(() => showChosen(list.current), [current])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const next = (current + step + tabs.length) % tabs.length
    show(next)
    event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  const next = ({ currentTarget: { form } }: { readonly currentTarget: HTMLButtonElement }): void => {
    if (form === null || onNext(form, tabs[current]?.fields ?? [])) show(current + 1)
  }
  return (
    <>
      <div role="tablist" className={styles['tabs']} ref={list}>
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-controls={`${id}-${tab.id}-panel`}
            aria-selected={index === current}
            tabIndex={index === current ? 0 : -1}
            className={styles['tab']}
            onClick={() => show(index)}
            onKeyDown={onKeyDown}
          >
            {tab.label}
            {tab.fields.some((name) => faulty.includes(name)) && (
              <>
                <CircleAlert size={14} aria-hidden="true" />
                <Hidden>{texts('form.tab-faulty')}</Hidden>
              </>
            )}
          </button>
        ))}
      </div>
      {tabs.map((tab, index) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${id}-${tab.id}-panel`}
          aria-labelledby={`${id}-${tab.id}`}
          className={styles['panel']}
          hidden={index !== current}
        >
          {children(tab)}
        </div>
      ))}
      <div className={styles['buttons']}>
        {current > 0 && <Button onClick={() => show(current - 1)}>{texts('form.back')}</Button>}
        {current < tabs.length - 1 && (
          <>
            <Button onClick={next}>{texts('form.next')}</Button>
            <Button kind="quiet" onClick={() => show(current + 1)}>
              {texts('form.skip')}
            </Button>
          </>
        )}
      </div>
    </>
  )
}
