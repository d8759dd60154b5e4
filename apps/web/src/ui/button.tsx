import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

export type ButtonKind = 'solid' | 'outline' | 'quiet' | 'danger' | 'dangerSolid'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind
  readonly size?: 'normal' | 'large'
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({ kind = 'outline', size = 'normal', className, type = 'button', ...rest }: ButtonProps) {
  const names = classNames(styles['button'], styles[kind], size === 'large' && styles['large'], className)
  return <button {...rest} type={type === 'submit' ? 'submit' : 'button'} className={names} />
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'aria-label' | 'title' | 'size'> {
  /** Read aloud, and shown while the pointer rests on the button. */
  readonly label: string
  readonly icon: ReactNode
}

export function IconButton({ label, icon, kind = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <Button {...rest} kind={kind} className={classNames(styles['icon'], className)} aria-label={label} title={label}>
      {icon}
    </Button>
  )
}
