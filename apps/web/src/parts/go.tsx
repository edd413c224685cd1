import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * Leads to another page, once. The router's own component does so at each render, and this page is rendered again
 * while the other one loads.
 */
export function Go({ to, next }: { to: string; next?: string }) {
  const navigate = useNavigate();
  // `next` is fixed at the first render: it is the current path, which changes with the navigation.
  const [search] = useState(next === undefined ? {} : { next });
  useEffect(() => {
    void navigate({ to, replace: true, search: search as never });
  }, [navigate, to, search]);
  return null;
}
