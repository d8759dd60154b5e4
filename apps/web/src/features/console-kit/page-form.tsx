import { useRef, useState } from 'react'
import { isFailure } from '../../lib/http.ts'
import { useTexts } from '../../lib/texts.tsx'
import type { FormState } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type FormSchema, SchemaForm, type SchemaFormProps } from '../../ui/form/index.ts'
import styles from './console-kit.module.css'
import { type Meanwhile, mergeMeanwhile, pick } from './meanwhile.ts'

type Values<Name extends string> = Readonly<Record<Name, string>>

export interface PageFormProps<Name extends string> extends Omit<
  SchemaFormProps<Name>,
  'onSend' | 'isPage' | 'isGuarded' | 'onSaved'
> {
  /** @param base what the values are compared with: as they were loaded or saved, or loaded again after a conflict */
  readonly onSend: (values: Values<Name>, base: Values<Name>) => Promise<void>
  /** After what was sent is saved. */
  readonly onSaved: () => void
  /** What is saved now, asked for when somebody else saved in between (EDIT_CONFLICT). */
  readonly onConflict?: (() => Promise<Values<Name>>) | undefined
}

interface Conflict<Name extends string> {
  readonly meanwhile: Meanwhile<Name>
  readonly theirs: Values<Name>
  readonly form: FormState<Name>
}

/** A form on a page: unsaved changes guarded, a save that overtakes another one shown and merged. */
export function PageForm<Name extends string>({ onSend, onConflict, ...form }: PageFormProps<Name>) {
  const { schema, initial } = form
  const base = useRef(initial)
  const [conflict, setConflict] = useState<Conflict<Name>>()
  const send = async (values: Values<Name>, state: FormState<Name>): Promise<void> => {
    try {
      await onSend(values, base.current)
      base.current = values
    } catch (error) {
      if (onConflict === undefined || !isFailure(error, 'EDIT_CONFLICT')) throw error
      const theirs = await onConflict()
      const meanwhile = mergeMeanwhile(base.current, values, theirs)
      base.current = theirs
      // It was this form that saved last: somebody went on typing, or did not hear that the save had worked.
      if (isOwn(meanwhile, values, theirs)) {
        await onSend(values, theirs)
        base.current = values
        return
      }
      setConflict({ meanwhile, theirs, form: state })
      throw error
    }
  }
  return (
    <div className={styles['form']}>
      <SchemaForm {...form} isPage isGuarded onSend={send} />
      {conflict !== undefined && (
        <ConflictDialog {...conflict} schema={schema} onClose={() => setConflict(undefined)} />
      )}
    </div>
  )
}

/** Nothing was saved meanwhile that this form does not hold as well. */
function isOwn<Name extends string>(
  { taken, disputed }: Meanwhile<Name>,
  mine: Values<Name>,
  theirs: Values<Name>,
): boolean {
  return disputed.length === 0 && taken.every((name) => mine[name] === theirs[name])
}

interface ConflictDialogProps<Name extends string> extends Conflict<Name> {
  readonly schema: FormSchema<Name>
  readonly onClose: () => void
}

/** What changed meanwhile. Either way nothing is saved yet: the form shows the result, and Save sends it. */
function ConflictDialog<Name extends string>({ meanwhile, theirs, form, schema, onClose }: ConflictDialogProps<Name>) {
  const texts = useTexts()
  const { taken, disputed, merged } = meanwhile
  const take = (values: Partial<Values<Name>>): void => {
    form.set(values)
    onClose()
  }
  return (
    <Dialog
      title={texts('console.conflict.title')}
      closeLabel={texts('common.close')}
      onClose={() => take(pick(theirs, taken))}
      isKeptOpen
      foot={
        <>
          {disputed.length > 0 && (
            <Button onClick={() => take(pick(theirs, [...taken, ...disputed]))}>
              {texts('console.conflict.theirs')}
            </Button>
          )}
          <Button kind="solid" onClick={() => take(pick(theirs, taken))}>
            {texts(disputed.length > 0 ? 'console.conflict.mine' : 'console.conflict.go-on')}
          </Button>
        </>
      }
    >
      <div className={styles['report']}>
        <p>{texts(disputed.length > 0 ? 'console.conflict.disputed' : 'console.conflict.text')}</p>
        <dl className={styles['failures']}>
          {[...disputed, ...taken].map((name) => (
            <div key={name}>
              <dt>{schema[name].label}</dt>
              <dd>
                {disputed.includes(name)
                  ? texts('console.conflict.both', { mine: shown(merged[name]), theirs: shown(theirs[name]) })
                  : texts('console.conflict.now', { theirs: shown(theirs[name]) })}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  )
}

function shown(value: string): string {
  return value === '' ? '-' : value
}
