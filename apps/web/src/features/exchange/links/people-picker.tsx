import type { LinkGroup, LinkPerson } from '@godwit/contract'
import { UserRound, UsersRound, X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { calledPerson, type NamedPeople } from './link-form.ts'
import { usePeople } from './links-query.ts'
import styles from './link-fields.module.css'
import shared from './links.module.css'

export interface PeoplePickerProps {
  readonly named: NamedPeople
  readonly error: string | undefined
  readonly onChange: (named: NamedPeople) => void
}

interface Choice {
  readonly id: string
  readonly label: string
  readonly isGroup: boolean
  readonly added: NamedPeople
}

/** People and groups of the site, found by part of what they are called. */
export function PeoplePicker({ named, error, onChange }: PeoplePickerProps) {
  const texts = useTexts()
  const list = useId()
  const [typed, setTyped] = useState('')
  const { data } = usePeople(useDeferredValue(typed.trim()))
  const choices = data === undefined ? [] : choicesOf(data, named)
  const take = (choice: Choice): void => {
    onChange(choice.added)
    setTyped('')
  }
  const { at, isOpen, setAt, setOpen, onKeyDown } = useChoiceKeys(choices, take)
  const isShown = isOpen && choices.length > 0
  return (
    <div className={styles['picker']}>
      <TextField
        name="people"
        label={texts('links.people')}
        hint={texts('links.people-hint')}
        error={error}
        value={typed}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isShown && choices[at] !== undefined ? `${list}-${at}` : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={({ target }) => {
          setTyped(target.value)
          setOpen(true)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      {isShown && <Found list={list} choices={choices} at={at} onTake={take} />}
      <p className={shared['note']} role="status">
        {typed.trim() !== '' && choices.length === 0 && data !== undefined && texts('links.people-none')}
      </p>
      <Chosen named={named} onChange={onChange} />
    </div>
  )
}

/** Arrows walk through what was found, Enter takes one, Escape closes the list. */
function useChoiceKeys(choices: readonly Choice[], take: (choice: Choice) => void) {
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = choices[at]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : choices.length - 1
      if (choices.length > 0) setAt((at + step) % choices.length)
    } else if (event.key === 'Enter' && isOpen && chosen !== undefined) {
      event.preventDefault()
      take(chosen)
      setAt(0)
    } else if (event.key === 'Escape' && isOpen && choices.length > 0) {
      // Not the dialog around it.
      event.stopPropagation()
      event.preventDefault()
      setOpen(false)
    }
  }
  return { at, isOpen, setAt, setOpen, onKeyDown }
}

interface FoundProps {
  readonly list: string
  readonly choices: readonly Choice[]
  readonly at: number
  readonly onTake: (choice: Choice) => void
}

function Found({ list, choices, at, onTake }: FoundProps) {
  const texts = useTexts()
  return (
    <div className={styles['found']} id={list} role="listbox" aria-label={texts('links.people')}>
      {choices.map((choice, index) => (
        <button
          key={choice.id}
          type="button"
          id={`${list}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className={classNames(index === at && styles['at'])}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(choice)}
        >
          <Kind isGroup={choice.isGroup} />
          <span translate="no">{choice.label}</span>
          {choice.isGroup && <small>{texts('links.people-group')}</small>}
        </button>
      ))}
    </div>
  )
}

function choicesOf(found: NamedPeople, named: NamedPeople): readonly Choice[] {
  const { users, groups } = named
  return [
    ...found.groups
      .filter(({ id }) => !groups.some((group) => group.id === id))
      .map((group: LinkGroup): Choice => ({
        ...{ id: `group-${group.id}`, label: group.name, isGroup: true },
        added: { users, groups: [...groups, group] },
      })),
    ...found.users
      .filter(({ id }) => !users.some((user) => user.id === id))
      .map((user: LinkPerson): Choice => ({
        ...{ id: user.id, label: calledPerson(user), isGroup: false },
        added: { groups, users: [...users, user] },
      })),
  ]
}

function Kind({ isGroup }: { readonly isGroup: boolean }) {
  const Icon = isGroup ? UsersRound : UserRound
  return <Icon size={16} aria-hidden="true" />
}

function Chosen({ named: { users, groups }, onChange }: Pick<PeoplePickerProps, 'named' | 'onChange'>) {
  const texts = useTexts()
  if (users.length + groups.length === 0) return null
  return (
    <ul className={styles['chips']} aria-label={texts('links.people-chosen')}>
      {groups.map((group) => (
        <Chip
          key={group.id}
          label={group.name}
          isGroup
          onRemove={() => onChange({ users, groups: groups.filter(({ id }) => id !== group.id) })}
        />
      ))}
      {users.map((user) => (
        <Chip
          key={user.id}
          label={calledPerson(user)}
          isGroup={false}
          onRemove={() => onChange({ groups, users: users.filter(({ id }) => id !== user.id) })}
        />
      ))}
    </ul>
  )
}

interface ChipProps {
  readonly label: string
  readonly isGroup: boolean
  readonly onRemove: () => void
}

function Chip({ label, isGroup, onRemove }: ChipProps) {
  const texts = useTexts()
  return (
    <li className={styles['chip']}>
      <Kind isGroup={isGroup} />
      <span title={label} translate="no">
        {label}
      </span>
      <button type="button" aria-label={texts('links.people-remove', { name: label })} onClick={onRemove}>
        <X size={14} aria-hidden="true" />
      </button>
    </li>
  )
}
