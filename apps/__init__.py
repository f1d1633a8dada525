"""What is built on the solver, each app in a folder of its own. The solver never imports them."""
