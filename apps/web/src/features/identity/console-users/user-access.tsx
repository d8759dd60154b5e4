import { routes } from '@godwit/contract/table'
import type { AccessAnswer, AdminUserDetail, AskedAction } from '@godwit/contract'
import { CircleAlert, CircleCheck, CircleX } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { GRANTABLE } from '../../../lib/permission-sets.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { SelectField, type SelectChoice } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { classNames } from '../../../ui/class-names.ts'
import fieldStyles from '../../../ui/text-field.module.css'
import styles from './user-access.module.css'

/** Written out: the page carries no schema to read them from. */
const ACTIONS: readonly AskedAction[] = [
  ...(['list', 'view', 'download', 'uploadFile', 'makeFolder', 'replace'] as const),
  ...(['rename', 'move', 'copy', 'delete', 'share', 'invite'] as const),
]

type Person = Pick<AdminUserDetail, 'id' | 'spaces' | 'groups'>

/** Asks the server why somebody can or cannot do something at a path. */
export function UserAccess({ user }: { readonly user: Person }) {
  const texts = useTexts()
  const places = placesOf(user, texts)
  const [place, setPlace] = useState(places[0]?.value ?? '')
  const [path, setPath] = useState('/')
  const [action, setAction] = useState<AskedAction>('uploadFile')
  const { send, answer, error, isPending, reset } = useAnswer(user.id)
  const ask = (event: FormEvent): void => {
    event.preventDefault()
    void send({ place, path, action })
  }
  return (
    <section className={styles['access']}>
      <h3>{texts('users.access')}</h3>
      <form className={styles['question']} onSubmit={ask} onChange={reset}>
        <SelectField
          label={texts('users.access.action')}
          value={action}
          choices={ACTIONS.map((value) => ({ value, label: texts(`users.access.action.${value}`) }))}
          onChange={({ target }) => setAction(ACTIONS.find((each) => each === target.value) ?? 'list')}
        />
        <SelectField
          label={texts('users.access.place')}
          translate="no"
          value={place}
          choices={places}
          onChange={({ target }) => setPlace(target.value)}
        />
        <TextField
          label={texts('users.access.path')}
          hint={texts('users.access.path.hint')}
          value={path}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          translate="no"
          onChange={({ target }) => setPath(target.value)}
        />
        <div>
          <Button type="submit" disabled={isPending}>
            {texts('users.access.ask')}
          </Button>
        </div>
      </form>
      <div aria-live="polite">
        {answer !== undefined && <Answer answer={answer} />}
        {error !== undefined && (
          <p className={fieldStyles['error']}>
            <CircleAlert size={14} aria-hidden="true" />
            {texts.failure(error)}
          </p>
        )}
      </div>
    </section>
  )
}

interface Question {
  readonly place: string
  readonly path: string
  readonly action: AskedAction
}

interface Asked {
  readonly isPending?: boolean
  readonly answer?: AccessAnswer
  readonly error?: unknown
}

function useAnswer(userId: string) {
  const { api } = useServices()
  const [asked, setAsked] = useState<Asked>({})
  /** Which question the page waits for an answer to: one that was changed meanwhile is not answered. */
  const turn = useRef(0)
  const send = async ({ place, path, action }: Question): Promise<void> => {
    const [kind, id] = place.split(' ')
    const where = kind === 'group' ? { groupId: Number(id) } : { spaceId: Number(id) }
    const from = path.trim()
    const query = { ...where, action, path: from.startsWith('/') ? from : `/${from}` }
    turn.current += 1
    const own = turn.current
    const settle = (outcome: Asked): void => {
      if (own === turn.current) setAsked(outcome)
    }
    setAsked({ isPending: true })
    try {
      settle({ answer: await api.call(routes.adminAccess.ask, { params: { userId }, query }) })
    } catch (error) {
      settle({ error })
    }
  }
  const reset = (): void => {
    turn.current += 1
    setAsked({})
  }
  return { isPending: false, answer: undefined, error: undefined, ...asked, send, reset }
}

/** Personal files in each space, and the libraries of their groups. */
function placesOf({ spaces, groups }: Person, texts: Texts): readonly SelectChoice[] {
  return [
    ...spaces.map((space) => ({
      value: `space ${space.id}`,
      label: texts('users.access.place.space', { space: nameOfSpace(space, texts) }),
    })),
    ...groups.map(({ id, name }) => ({
      value: `group ${id}`,
      label: texts('users.access.place.group', { group: name }),
    })),
  ]
}

function Answer({ answer }: { readonly answer: AccessAnswer }) {
  const texts = useTexts()
  const { isAllowed, mount } = answer
  return (
    <div className={classNames(styles['answer'], isAllowed ? styles['yes'] : styles['no'])} ref={intoView}>
      {isAllowed ? <CircleCheck size={20} aria-hidden="true" /> : <CircleX size={20} aria-hidden="true" />}
      <div>
        <strong>{texts(isAllowed ? 'users.access.yes' : 'users.access.no')}</strong>
        <p>{reasonOf(answer, texts)}</p>
        {mount !== null && <p>{texts('users.access.in-mount', { mount })}</p>}
      </div>
    </div>
  )
}

/** What was asked stands at the end of the drawer, and its answer below that. */
function intoView(answer: HTMLElement | null): void {
  answer?.scrollIntoView({ block: 'nearest' })
}

function reasonOf({ reason, from, permission, level, pattern }: AccessAnswer, texts: Texts): string {
  if (reason === 'granted' || reason === 'flag') {
    const missing = GRANTABLE.find((each) => each === permission)
    const named = missing === undefined ? '' : texts(`permission.${missing}`)
    return texts(`users.access.${reason}.${from ?? 'account'}`, { permission: named })
  }
  if (reason === 'forbidden') return texts('users.access.forbidden', { pattern: pattern ?? '' })
  return reason === 'type' ? texts(`users.access.type.${level ?? 'account'}`) : texts(`users.access.${reason}`)
}
