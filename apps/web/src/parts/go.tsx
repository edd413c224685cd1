import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Leads to another page, once. The router's own component does so at each render, and this page is rendered again
 * while the other one loads.
 */
export function Go({ to, next }: { to: string; next?: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    void navigate({ to, replace: true, search: (next === undefined ? {} : { next }) as never });
  }, [navigate, to, next]);
  return null;
}
