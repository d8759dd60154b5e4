import { describe, expect, it } from 'vitest'
import { supervisorIn } from './supervisor.ts'

describe('what would start the server again', () => {
  it('is systemd for a service of its own', () => {
    expect(supervisorIn('0::/system.slice/godwit.service\n')).toBe('systemd')
  })

  it('is nobody for a program of a shell', () => {
    expect(supervisorIn('0::/user.slice/user-1000.slice/session-3.scope\n')).toBe('none')
    expect(supervisorIn('')).toBe('none')
  })

  it('is whatever runs the container', () => {
    expect(supervisorIn('12:pids:/docker/0123abcd\n')).toBe('container')
    expect(supervisorIn('0::/kubepods-besteffort.slice/cri-1.scope\n')).toBe('container')
  })
})
