"""All boards of some colours and a capacity."""
