import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../lib/texts.tsx'
import { IconButton } from './button.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

/** What is typed can be looked at by the eye at its end. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'end'>) {
  const texts = useTexts()
  const [isShown, setShown] = useState(false)
  const label = texts(isShown ? 'password.hide' : 'password.show')
  const icon = isShown ? <EyeOff size={18} aria-hidden="true" /> : <Eye size={18} aria-hidden="true" />
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      end={<IconButton label={label} icon={icon} onClick={() => setShown(!isShown)} />}
    />
  )
}
