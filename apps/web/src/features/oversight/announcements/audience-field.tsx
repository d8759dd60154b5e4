import { routes } from '@godwit/contract/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import textStyles from '../../../ui/text-field.module.css'
import { audienceIn, isNobody, type NamedAudience, textOf } from './announcement-values.ts'
import { ANNOUNCEMENTS } from './announcements-source.ts'
import styles from './announcements.module.css'

const KINDS = ['users', 'groups', 'departments'] as const
type Kind = (typeof KINDS)[number]

interface Target {
  readonly id: string | number
  readonly name: string
}

export interface AudienceFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

/** Everybody, or people, groups and departments that are looked up by name. */
export function AudienceField({ value, onChange, error }: AudienceFieldProps) {
  const texts = useTexts()
  const audience = audienceIn(value)
  const [text, setText] = useState('')
  const change = (kind: Kind, targets: readonly Target[]): void => onChange(textOf({ ...audience, [kind]: targets }))
  const add = (kind: Kind, target: Target): void => {
    change(kind, [...audience[kind].filter(({ id }) => id !== target.id), target])
    setText('')
  }
  return (
    <fieldset className={styles['audience']}>
      <legend className={textStyles['label']}>
        {texts('announcements.audience')}
        <span className={textStyles['required']} aria-hidden="true">
          {'*'}
        </span>
      </legend>
      <SwitchField
        name="everybody"
        label={texts('announcements.everybody')}
        isOn={audience.all}
        onChange={(all) => onChange(textOf({ ...audience, all }))}
      />
      {!audience.all && (
        <>
          <Chosen audience={audience} onChange={change} />
          <TextField
            name="target"
            label={texts('announcements.find')}
            hint={texts('announcements.find.hint')}
            autoComplete="off"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          {text.trim() !== '' && <Found text={text.trim()} audience={audience} onAdd={add} />}
        </>
      )}
      {error !== undefined && (
        <p className={textStyles['error']}>
          <CircleAlert size={14} aria-hidden="true" />
          {error}
        </p>
      )}
      <Reach audience={audience} />
    </fieldset>
  )
}

interface ChosenProps {
  readonly audience: NamedAudience
  readonly onChange: (kind: Kind, targets: readonly Target[]) => void
}

function Chosen({ audience, onChange }: ChosenProps) {
  const texts = useTexts()
  if (isNobody(audience)) return null
  return (
    <ul className={styles['chips']} aria-label={texts('announcements.chosen')}>
      {KINDS.flatMap((kind) =>
        audience[kind].map(({ id, name }) => (
          <li key={`${kind}-${id}`}>
            <span className={styles['kind']}>{texts(`announcements.kind.${kind}`)}</span>
            <span translate="no">{name}</span>
            <button
              type="button"
              aria-label={texts('announcements.target.remove', { name })}
              onClick={() =>
                onChange(
                  kind,
                  audience[kind].filter((each) => each.id !== id),
                )
              }
            >
              <X size={14} aria-hidden="true" />
            </button>
          </li>
        )),
      )}
    </ul>
  )
}

interface FoundProps {
  readonly text: string
  readonly audience: NamedAudience
  readonly onAdd: (kind: Kind, target: Target) => void
}

function Found({ text, audience, onAdd }: FoundProps) {
  const texts = useTexts()
  const { api } = useServices()
  const { data, error } = useQuery({
    queryKey: ['console', ANNOUNCEMENTS, 'targets', text],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.call(routes.adminNotices.targets, { query: { text } }, { signal, quiet: true }),
  })
  if (error !== null) return <p role="alert">{texts.failure(error)}</p>
  if (data === undefined) return <p role="status">{texts('app.loading')}</p>
  const found = KINDS.flatMap((kind) =>
    data[kind]
      .filter(({ id }) => !audience[kind].some((each) => each.id === id))
      .map((target): readonly [Kind, Target] => [kind, target]),
  )
  if (found.length === 0) return <p role="status">{texts('announcements.find.none')}</p>
  return (
    <ul className={styles['found']} aria-label={texts('announcements.found')}>
      {found.map(([kind, target]) => (
        <li key={`${kind}-${target.id}`}>
          <button type="button" onClick={() => onAdd(kind, target)}>
            <span className={styles['kind']}>{texts(`announcements.kind.${kind}`)}</span>
            <span translate="no">{target.name}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** How many people it would reach if it were sent now. */
function Reach({ audience }: { readonly audience: NamedAudience }) {
  const texts = useTexts()
  const { api } = useServices()
  const query = {
    all: audience.all ? ('1' as const) : ('0' as const),
    users: idsOf(audience.users),
    groups: idsOf(audience.groups),
    departments: idsOf(audience.departments),
  }
  const { data } = useQuery({
    queryKey: ['console', ANNOUNCEMENTS, 'reach', query],
    enabled: !isNobody(audience),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.call(routes.adminNotices.reach, { query }, { signal, quiet: true }),
  })
  if (isNobody(audience) || data === undefined) return null
  return (
    <p className={styles['reach']} role="status">
      {texts('announcements.reach', { count: data.people, withMail: data.withMail })}
    </p>
  )
}

function idsOf(targets: readonly Target[]): string {
  return targets.map(({ id }) => id).join(',')
}
